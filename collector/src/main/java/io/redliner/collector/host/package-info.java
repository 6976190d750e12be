// SPDX-License-Identifier: Apache-2.0
/** What the machine does and what the instances on it may use, from the kernel's files and OSHI. */
@NullMarked
package io.redliner.collector.host;

import org.jspecify.annotations.NullMarked;
