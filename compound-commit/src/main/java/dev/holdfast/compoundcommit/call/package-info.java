/// Calls between nodes as bytes: what every room that is called writes its messages with. The bytes
/// carry their kind, version and checksum; the network that carries them is [dev.holdfast.world].
@NullMarked
package dev.holdfast.compoundcommit.call;

import org.jspecify.annotations.NullMarked;
