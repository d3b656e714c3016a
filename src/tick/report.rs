//! Compares this tick's contacts with those of the last report: which began, go on, and ended. Tells it by messages, and to observers.

mod compare;
mod ended;
mod messages;
mod observers;

pub(crate) use messages::report_contacts;
pub(crate) use observers::notify_observers;
