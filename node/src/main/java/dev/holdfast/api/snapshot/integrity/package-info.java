/// Whether what a repository has is what snapshots need of it: `_verify_integrity`.
@NullMarked
package dev.holdfast.api.snapshot.integrity;

import org.jspecify.annotations.NullMarked;
