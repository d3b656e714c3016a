//! Compares this tick's contacts with those of the last report: which began, go on, and ended. Tells it by messages, in components, and to observers.

mod compare;
mod ended;
mod messages;
mod partners;
mod observers;

pub(crate) use messages::report_contacts;
pub(crate) use observers::notify_observers;
pub(crate) use partners::write_partners;
