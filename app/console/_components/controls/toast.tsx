import { Toast as Base } from "@base-ui/react/toast";
import { X } from "lucide-react";
import type { ReactNode } from "react";

/** Says in passing that something was done. What went wrong stays where it went wrong. */
export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider timeout={6_000} limit={3}>
      {children}
      <Base.Portal>
        <Base.Viewport className="toasts">
          <Toasts />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function Toasts() {
  const { toasts } = Base.useToastManager();
  return toasts.map((toast) => (
    <Base.Root key={toast.id} toast={toast} className="toast">
      <Base.Content className="toast-content">
        <div>
          <Base.Title className="toast-title" />
          <Base.Description className="toast-description" />
        </div>
        <Base.Close className="button icon-button" data-look="quiet" aria-label="Dismiss">
          <X aria-hidden size={16} />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  ));
}

/** `toast("Approved", "tx_… for Acme")`: the title names what was done, the rest which one. */
export function useToast(): (title: string, description?: string) => void {
  const { add } = Base.useToastManager();
  return (title, description) => void add({ title, ...(description && { description }) });
}
