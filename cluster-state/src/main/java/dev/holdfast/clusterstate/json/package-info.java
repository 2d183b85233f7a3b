/// The cluster state as JSON: whole, or as the difference from the version before; what blobs carry
/// of their index so that a lost state can be rebuilt (decision 017). Members that this build does
/// not know are kept and written again. Pure functions.
@NullMarked
package dev.holdfast.clusterstate.json;

import org.jspecify.annotations.NullMarked;
