/// APIs that read many documents and write them again: `_reindex`, `_update_by_query`,
/// `_delete_by_query`. Slices of a scroll run side by side, throttled and cancellable; what they
/// did is told by the task.
@NullMarked
package dev.holdfast.api.document.reindex;

import org.jspecify.annotations.NullMarked;
