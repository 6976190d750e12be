// SPDX-License-Identifier: Apache-2.0
/**
 * Which services there are and what is known of their fleets. Plain Java but for {@link DirectoryConfiguration}; files,
 * DNS and clusters are adapters elsewhere.
 */
@NullMarked
package io.redliner.redirector.directory;

import org.jspecify.annotations.NullMarked;
