// SPDX-License-Identifier: Apache-2.0
/** The services and their instances, as values. Plain Java. */
@NullMarked
package io.redliner.redirector.service;

import org.jspecify.annotations.NullMarked;
