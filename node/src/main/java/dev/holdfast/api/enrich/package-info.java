/// Enrich policies: kept in the cluster state, executed into an index of their own that enrich
/// processors ask. APIs are called from any thread; an execution that fails leaves the index before
/// it in use.
@NullMarked
package dev.holdfast.api.enrich;

import org.jspecify.annotations.NullMarked;
