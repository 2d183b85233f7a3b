/// APIs that read many documents and write them again: `_reindex`, `_update_by_query`,
/// `_delete_by_query`.
@NullMarked
package dev.holdfast.node.api.reindex;

import org.jspecify.annotations.NullMarked;
