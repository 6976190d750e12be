// SPDX-License-Identifier: Apache-2.0
/** The command line of a RedLiner that runs in one process. */
@NullMarked
package io.redliner.standalone;

import org.jspecify.annotations.NullMarked;
