/// Everything that may differ between two runs (time, chance, names, threads), and the few things
/// that every room shares: errors a client sees ([Refusal], [ErrorType]), JSON, registries, and
/// promises that are checked in production ([Promise]).
///
/// No room asks the JDK for time, chance, names or threads: the build refuses it everywhere but in
/// classes annotated [FromTheWorld]. [World] is made once in `main` and passed down by
/// constructors; the simulation passes another one, and that is all it takes to replay a whole
/// cluster from a seed.
///
/// Everything here may be called from any thread. Nothing here knows of indices, shards or stores.
@NullMarked
package dev.holdfast.world;

import org.jspecify.annotations.NullMarked;
