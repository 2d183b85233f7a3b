/// Stored scripts, and scripts tried out: what is kept in the cluster state under a name, and the
/// APIs about the language itself.
@NullMarked
package dev.holdfast.api.script;

import org.jspecify.annotations.NullMarked;
