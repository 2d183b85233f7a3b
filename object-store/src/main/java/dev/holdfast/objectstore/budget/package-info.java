/// A bound on the dollars that requests to the store cost, kept by those that can wait: how fast a
/// node may spend, and how the cluster's budget is shared out. Nothing here asks the store. Safe
/// for any thread; nothing fails.
@NullMarked
package dev.holdfast.objectstore.budget;

import org.jspecify.annotations.NullMarked;
