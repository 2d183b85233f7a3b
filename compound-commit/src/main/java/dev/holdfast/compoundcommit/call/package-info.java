/// Calls between nodes as bytes: what every room that is called writes its messages with. Records
/// carry their lengths, so that members added by a newer build are skipped and missing ones have
/// defaults (decision 022). The network that carries them is [dev.holdfast.world].
@NullMarked
package dev.holdfast.compoundcommit.call;

import org.jspecify.annotations.NullMarked;
