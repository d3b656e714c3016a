//! What the stages of a tick pass to each other, and what one tick leaves for the next. Plain, cloneable data.

pub(crate) mod slots;
pub(crate) mod allotment;
pub(crate) mod rare;
pub(crate) mod drift;
pub(crate) mod fresh;
pub(crate) mod order;
pub(crate) mod left_bodies;
pub(crate) mod still_changes;
pub(crate) mod refusal;
pub(crate) mod traits;
pub(crate) mod spaces;
pub(crate) mod colliders;
pub(crate) mod rules;
pub(crate) mod kept;
pub(crate) mod resting;
pub(crate) mod newcomers;
pub(crate) mod verdicts;
pub(crate) mod told;
pub(crate) mod contact_orders;
pub(crate) mod contacts;
pub(crate) mod news;
pub(crate) mod pose;
pub(crate) mod candidates;
pub(crate) mod stage;
pub(crate) mod paths;
pub(crate) mod walks;
