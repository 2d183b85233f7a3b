/// A store that fails as real ones do, from a seeded source of chance: slow, refused, or done with
/// the answer lost. For tests and the simulation only. It never breaks what a store promises.
@NullMarked
package dev.holdfast.objectstore.faulty;

import org.jspecify.annotations.NullMarked;
