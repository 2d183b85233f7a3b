/// Async searches as their clients read them.
@NullMarked
package dev.holdfast.api.search.async;

import org.jspecify.annotations.NullMarked;
