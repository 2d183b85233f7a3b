/// Scripts: Painless compiled for a context, within limits. Knows nothing of documents or queries.
@NullMarked
package dev.holdfast.script;

import org.jspecify.annotations.NullMarked;
