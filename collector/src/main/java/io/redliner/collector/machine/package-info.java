// SPDX-License-Identifier: Apache-2.0
/** What several sources want to know of this machine: which process listens where. */
@NullMarked
package io.redliner.collector.machine;

import org.jspecify.annotations.NullMarked;
