/// What this node tells of its load, and what a tier's size should be by it (§7). Requests come
/// from any thread; a background task samples the pools every second. Nodes that do not answer are
/// named.
@NullMarked
package dev.holdfast.api.scaling;

import org.jspecify.annotations.NullMarked;
