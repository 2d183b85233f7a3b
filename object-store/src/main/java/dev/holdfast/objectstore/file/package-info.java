/// A store in a folder of this machine, for any number of its processes: an object is a file that
/// appears under its name at once and whole (a temporary file, fsync, link), a register is a file
/// whose header carries the token of its last write. Locks by key order the writers of all
/// processes. What a full or failing disk means is said by `FileFailures`.
@NullMarked
package dev.holdfast.objectstore.file;

import org.jspecify.annotations.NullMarked;
