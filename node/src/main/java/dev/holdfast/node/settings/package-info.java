/// What a user can set: one record with defaults, read from the command line, the environment and a
/// file, in that order of precedence.
@NullMarked
package dev.holdfast.node.settings;

import org.jspecify.annotations.NullMarked;
