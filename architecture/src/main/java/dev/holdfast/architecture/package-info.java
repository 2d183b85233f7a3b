/// The house as it stands: reads the source tree, says which packages there are, how large they
/// are, what they use and where that goes in circles, and draws it (`./holdfast house`). Its tests
/// refuse what `docs/ARCHITECTURE.md` rules out: cycles, packages above 30 files, files above 400
/// lines, arrows between modules that nobody agreed to, documents that name what does not exist.
@NullMarked
package dev.holdfast.architecture;

import org.jspecify.annotations.NullMarked;
