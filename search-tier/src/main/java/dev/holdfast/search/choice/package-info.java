/// Which copies of a shard are asked, in which order, and what comes next when one fails:
/// preference, adaptive order, copies that could only be waited for. Decisions over the cluster
/// state; asking several nodes side by side with this node on the caller's thread.
@NullMarked
package dev.holdfast.search.choice;

import org.jspecify.annotations.NullMarked;
