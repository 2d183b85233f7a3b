/// Settings of indices: which there are, which values they take, which may change while the index
/// is open, and the APIs that show and change them. A setting that is not known is refused.
@NullMarked
package dev.holdfast.api.indices.settings;

import org.jspecify.annotations.NullMarked;
