/// What a user can set: one record with defaults ([NodeSettings]), read from the command line, the
/// environment and a file, in that order of precedence. Unknown names and values out of range are
/// refused at start, in one line that names the setting and where it was set.
@NullMarked
package dev.holdfast.settings;

import org.jspecify.annotations.NullMarked;
