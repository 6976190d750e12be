// SPDX-License-Identifier: Apache-2.0
/** Reads the services file, at the start and whenever it changes. */
@NullMarked
package io.redliner.redirector.config;

import org.jspecify.annotations.NullMarked;
