// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code redliner} as a client of a controller. A command line comes in; which verb it names, and whether its arguments
 * can be used, is decided here. The verb's output and its exit code go out.
 */
@NullMarked
package io.redliner.cli.commands;

import org.jspecify.annotations.NullMarked;
