/// What answers here: name, versions, license, features, the authenticated user; answers that
/// clients ask before anything else, the same on each node.
@NullMarked
package dev.holdfast.api.info;

import org.jspecify.annotations.NullMarked;
