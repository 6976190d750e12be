// SPDX-License-Identifier: Apache-2.0
/** The services, instances and proxies that redirectors report. Plain Java. */
@NullMarked
package io.redliner.controller.core.catalog;

import org.jspecify.annotations.NullMarked;
