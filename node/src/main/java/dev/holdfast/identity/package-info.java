/// What this process is and what it speaks: its id, address and roles as clients see them
/// ([NodeIdentity]), its own version and the version of Elasticsearch's API that it speaks
/// ([Version]). Below everything that shows them; values only, so any thread may read them.
@NullMarked
package dev.holdfast.identity;

import org.jspecify.annotations.NullMarked;
