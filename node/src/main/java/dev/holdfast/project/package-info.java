/// Projects: users of one cluster that do not see one another. Each has its own indices, settings
/// and limits, in a part of the store of its own; which there are stands in the cluster's state.
@NullMarked
package dev.holdfast.project;

import org.jspecify.annotations.NullMarked;
