/// The REST APIs, one file an API; [dev.holdfast.api.Apis] is their table of contents.
@NullMarked
package dev.holdfast.node.api;

import org.jspecify.annotations.NullMarked;
