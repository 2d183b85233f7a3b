/// What work is done for: the request that wants it, by the name its client gave it and by its
/// place in a trace. Bound to the thread that works for it, carried to the threads that it starts
/// and to other nodes. Any thread may ask; nothing here blocks or fails.
@NullMarked
package dev.holdfast.world.trace;

import org.jspecify.annotations.NullMarked;
