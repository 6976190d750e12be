// SPDX-License-Identifier: Apache-2.0
/**
 * A run as it happens. Its events and its views come in; what of them is shown, and what Ctrl-C does, is decided here. Text for a
 * terminal, lines for a log file, or JSON for a program go out.
 */
@NullMarked
package io.redliner.cli.watch;

import org.jspecify.annotations.NullMarked;
