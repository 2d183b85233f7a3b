/// APIs that search, one file an API.
@NullMarked
package dev.holdfast.node.api.search;

import org.jspecify.annotations.NullMarked;
