/// Aliases: APIs that show and change them. Several actions of one request are one change of the
/// cluster state: all or none.
@NullMarked
package dev.holdfast.api.indices.alias;

import org.jspecify.annotations.NullMarked;
