// SPDX-License-Identifier: Apache-2.0
/**
 * The services file. Its text comes in, at the start and whenever it changes. It is decided whether it says something that can
 * be; definitions of services go out to discovery, or a mistake with its line and column.
 */
@NullMarked
package io.redliner.redirector.config;

import org.jspecify.annotations.NullMarked;
