//! This tick's contacts against the last one's: what began, what goes on, what is over; told by messages, in components, and to observers.

mod compare;
mod ended;
mod messages;
mod partners;
mod observers;

pub(crate) use messages::report_contacts;
pub(crate) use observers::notify_observers;
pub(crate) use partners::write_partners;
