/// Opens the store that a URL names, and asks it at start-up whether it keeps the promises that no
/// data loss rests on: of racing creators and racing swaps one wins, reads see writes at once,
/// lists are in order. A store that does not is refused in one sentence. Later its clock is
/// compared with this machine's before anything is deleted by its age.
@NullMarked
package dev.holdfast.objectstore.open;

import org.jspecify.annotations.NullMarked;
