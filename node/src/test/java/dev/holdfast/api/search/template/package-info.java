@NullMarked
package dev.holdfast.api.search.template;

import org.jspecify.annotations.NullMarked;
