/// Search templates in Mustache, inline and stored.
@NullMarked
package dev.holdfast.node.api.script;

import org.jspecify.annotations.NullMarked;
