#ifndef WARDEN_S3_PAGE_POLICY_H_
#define WARDEN_S3_PAGE_POLICY_H_

// What keeps an object from acting as a page of the dashboard. Objects and dashboard share one
// address, so for a browser a document among the objects would be one of ours: its script could
// read the runs and stop jobs in the name of whoever opened the link. Used by all answers of this
// part that a browser could show.

#include "warden/http/message.h"

namespace warden::s3 {

// Adds the headers that take a document's origin, scripts and loads away, and that forbid browsers
// to guess another type. Clients that are not browsers ignore them.
void AddSandbox(http::Headers* headers);

// For objects: AddSandbox, and documents that can hold scripts (HTML, SVG, XML) are marked as
// downloads, whatever the object or the request says; a file name that was given is kept.
void AddPagePolicy(http::Headers* headers);

}  // namespace warden::s3

#endif  // WARDEN_S3_PAGE_POLICY_H_
