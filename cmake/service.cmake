# The parts of the service, lowest first, and all of them together as warden_service.
warden_part(service/jobs COLD LINK warden_base)
warden_part(service/http LINK warden_base warden_boost)
warden_part(service/auth COLD LINK warden_service_http warden_actions)
warden_part(service/logs COLD LINK warden_service_jobs warden_actions)
warden_part(service/agent COLD LINK warden_base warden_actions)
warden_part(service/db COLD LINK warden_service_jobs SQLite::SQLite3)
warden_part(service/s3 LINK warden_service_auth warden_service_jobs ZLIB::ZLIB)
warden_part(service/launch COLD LINK
  warden_service_agent warden_service_logs warden_service_s3 warden_monitor warden_format)
warden_part(service/supervise COLD LINK warden_service_db warden_service_launch warden_report)
warden_part(service/api COLD LINK warden_service_auth warden_service_supervise)
# Amazon's model of requests becomes a part of the program.
warden_embed(warden_service_api ShapesJson
  ${PROJECT_SOURCE_DIR}/warden/service/api/model/shapes.json
  NAMESPACE warden::service HEADER warden/service/api/model/shapes_json.h)
warden_part(service/exec COLD LINK warden_service_auth warden_service_db warden_service_logs)
warden_part(service/client COLD LINK warden_service_http warden_actions)
warden_part(service/dashboard/core LINK warden_service_auth warden_service_jobs)
warden_part(service/dashboard/tensors LINK
  warden_service_dashboard_core warden_view_series warden_view_values)
warden_part(service/dashboard/metrics LINK
  warden_service_dashboard_core warden_view_metrics warden_rules)
warden_part(service/dashboard/profile LINK
  warden_service_dashboard_core warden_service_s3 warden_report)
warden_part(service/dashboard/timeline LINK warden_service_dashboard_core warden_view_timeline)
warden_part(service/dashboard/site LINK
  warden_service_dashboard_tensors warden_service_dashboard_metrics
  warden_service_dashboard_profile warden_service_dashboard_timeline warden_service_api
  warden_capture)
target_link_libraries(warden_service_dashboard_site PRIVATE ZLIB::ZLIB)
target_compile_definitions(warden_service_dashboard_site PRIVATE
  WARDEN_VERSION="${PROJECT_VERSION}")
warden_dashboard_assets(warden_service_dashboard_site)
warden_part(service/daemon COLD LINK
  warden_service_api warden_service_client warden_service_dashboard_site warden_service_exec
  warden_service_s3)
add_library(warden_service INTERFACE)
target_link_libraries(warden_service INTERFACE warden_service_daemon)
