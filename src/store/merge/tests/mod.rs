//! What needs the inside of the room.

mod laws;
