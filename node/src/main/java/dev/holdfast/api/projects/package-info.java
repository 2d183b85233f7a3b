/// `/_holdfast/projects`: which projects a cluster has, and what each may take.
@NullMarked
package dev.holdfast.api.projects;

import org.jspecify.annotations.NullMarked;
