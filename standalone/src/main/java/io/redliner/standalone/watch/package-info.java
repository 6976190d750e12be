// SPDX-License-Identifier: Apache-2.0
/** A run as it happens, for people at a terminal, for log files and for programs. */
@NullMarked
package io.redliner.standalone.watch;

import org.jspecify.annotations.NullMarked;
