/// Which fields, and which structures of theirs, searches of a copy read: a reader that notes what
/// is asked of it, once a phase. Hands out what the segments have, and costs nothing where no phase
/// runs.
@NullMarked
package dev.holdfast.search.fielduse;

import org.jspecify.annotations.NullMarked;
