// SPDX-License-Identifier: Apache-2.0
/** What an analysis was fed with, on disk, so that it can be replayed. Plain Java. */
@NullMarked
package io.redliner.analyzer.tape;

import org.jspecify.annotations.NullMarked;
