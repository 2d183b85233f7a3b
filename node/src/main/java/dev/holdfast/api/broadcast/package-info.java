/// Asks every node of the cluster the same question, side by side, and waits for the answers until
/// a deadline; nodes that do not answer are named and hold up nobody. Each node registers what it
/// tells of itself under a name, once, when its APIs are made. What one node alone holds it is
/// asked for by the others, so that clients may ask any.
@NullMarked
package dev.holdfast.api.broadcast;

import org.jspecify.annotations.NullMarked;
