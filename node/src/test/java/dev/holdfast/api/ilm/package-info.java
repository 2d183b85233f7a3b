/// Lifecycle policies as clients see them.
@NullMarked
package dev.holdfast.api.ilm;

import org.jspecify.annotations.NullMarked;
