/// Search templates in Mustache, inline and stored, and stored scripts.
@NullMarked
package dev.holdfast.api.search.template;

import org.jspecify.annotations.NullMarked;
