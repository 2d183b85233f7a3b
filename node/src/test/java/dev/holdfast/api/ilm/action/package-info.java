/// Lifecycle policies as clients see them.
@NullMarked
package dev.holdfast.api.ilm.action;

import org.jspecify.annotations.NullMarked;
