//! What is recorded is what was, and a replay of it comes to the same bits.

mod everything;
mod looking_back;
mod replaying;
