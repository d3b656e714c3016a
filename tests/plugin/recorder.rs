//! What is recorded is what happened, and a replay of it gives the same bits.

mod everything;
mod looking_back;
mod replaying;
